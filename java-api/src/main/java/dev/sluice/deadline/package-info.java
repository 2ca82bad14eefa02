/** How long a wait may take, and until when. For this library alone. */
package dev.sluice.deadline;
