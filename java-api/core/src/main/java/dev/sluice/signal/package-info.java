/** Dispatch of the signals of the process to event loops and pools. Not exported to programs. */
package dev.sluice.signal;
