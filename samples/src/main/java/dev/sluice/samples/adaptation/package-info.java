/**
 * A server that watches how it is used and adapts to it, as the JAWS paper has it: what suits small files does not suit
 * large ones, and a number of threads that is right by day is wrong by night.
 *
 * <p>{@link dev.sluice.samples.adaptation.Adaptation} is the state of a service, which knows a setting and what it has
 * seen lately; of a {@link dev.sluice.samples.adaptation.LoadSample} it makes the next state, and nothing else: whoever
 * takes the samples puts the setting into force. {@link dev.sluice.samples.adaptation.PoolAdaptation} is the same of a
 * pool of threads, of which a server has one for each port whose concurrency strategy knows pools.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>What is seen once is chance.</b> A change is made when as many samples in a row have asked for it, and what
 *     undoes it needs a sample that is clearly different: otherwise the server would swing between two settings.
 * <li><b>More at once, less after a while.</b> Too few threads make clients wait, too many cost a little memory.
 * <li><b>Bounds are multiples of what is configured</b>: whoever asks for much gets more of it.
 * <li><b>The concurrency strategy of a port stays what it is.</b> It says who waits for a connection, and that cannot
 *     be handed over in the middle: a thread that waits in the kernel would have to be got out of there, and what a
 *     proactor has begun cannot be given to a reactor. Whoever is in doubt serves another port in another way, and
 *     compares the two.
 * </ul>
 */
package dev.sluice.samples.adaptation;
