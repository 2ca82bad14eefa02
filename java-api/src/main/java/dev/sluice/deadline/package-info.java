/** How long a wait may take, until when, and what comes first. For this library alone. */
package dev.sluice.deadline;
