/**
 * The signals of the process, for those who dispatch them: event loops, and pools of threads. For this library only.
 */
package dev.sluice.signal;
