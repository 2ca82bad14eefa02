/** How long a wait may take, when it ends, and which deadline comes first. For this library only. */
package dev.sluice.deadline;
