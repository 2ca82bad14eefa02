/**
 * The signals of the process, for their dispatchers: event loops, and pools of threads. For this library only.
 */
package dev.sluice.signal;
