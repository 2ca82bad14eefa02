/**
 * The moments at which a leader/followers pool can lose an event, a leader or a thread, each as a test for jcstress,
 * which has the actors meet at these moments many thousand times, in every mode of compilation.
 *
 * <p>Most pools here wait on a queue, whose events cost nothing; {@code Turns} counts the events that each thread has
 * dispatched. No actor waits for another one to arrive: a thread that has nothing to do leaves immediately or after a
 * limit. A lost leadership shows as an event that was not dispatched, or as a thread still present at its limit.
 */
package dev.sluice.leaderfollowers;
