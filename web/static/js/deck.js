// The cards of one deck: in two colours or four.

import { mountColours } from "./colours.js";

mountColours(document.getElementById("colours"));
