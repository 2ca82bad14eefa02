/**
 * The moments at which a leader/followers pool can lose an event, a leader or a thread, each as a test for jcstress,
 * which has the actors meet at these moments many thousand times, in every mode of compilation.
 *
 * <p>Most pools here wait on a queue, whose events cost nothing; {@code Turns} counts who has dispatched how many. No
 * actor waits for another one to come: who has nothing to do leaves at once or after a limit, and a leadership that got
 * lost shows as an event that nobody dispatched, or as a thread that was still there at the end of its limit.
 */
package dev.sluice.leaderfollowers;
