/**
 * A server that watches how it is used and adapts to it, as the JAWS paper has it: what suits small files does not suit
 * large ones, and a number of threads that is right by day is wrong by night.
 *
 * <p>{@link dev.sluice.samples.adaptation.Adaptation} is the state of a service, which knows a setting and what it has
 * seen lately; of a {@link dev.sluice.samples.adaptation.LoadSample} it makes the next state, and nothing else: the
 * caller that takes the samples applies the setting. {@link dev.sluice.samples.adaptation.PoolAdaptation} is the same
 * of a pool of threads, of which a server has one for each port whose concurrency strategy knows pools; {@link
 * dev.sluice.samples.adaptation.ServerAdaptation} is that of all of them together.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>What is seen once is chance.</b> A change is made when as many samples in a row have asked for it, and what
 *     undoes it needs a sample that is clearly different: otherwise the server would swing between two settings.
 * <li><b>More at once, less after a while.</b> Too few threads make clients wait, too many cost a little memory.
 * <li><b>A growth that brings nothing is taken back.</b> At any moment all threads may be busy, however many there are:
 *     that they are tells only that more might help. What is done without and with them, by turns, tells whether they
 *     do. It is different where each thread waits for its client: there more threads serve more clients, and there is
 *     nothing to compare.
 * <li><b>One experiment at a time.</b> A trial of ways and the growth of a pool are judged by what the server does
 *     meanwhile, at all of its ports: the work of one pool is not counted by itself. Two concurrent experiments would
 *     influence each other's result, so the second one waits. What the load of another port does meanwhile is chance,
 *     like any load.
 * <li><b>What a way to send files costs is measured, not guessed.</b> Neither their size nor how often they are asked
 *     for tells: mapping is a sixth faster for files of half a megabyte and a sixth slower for a tenth of that, and for
 *     others it depends on who waits for the connection. So other ways are tried by turns, for files of one {@link
 *     dev.sluice.samples.io.SizeClass} at a time. The way that is configured stays unless another is clearly better.
 * <li><b>What clients get counts before processor time.</b> What saves the server some time may cost the client more,
 *     if it is on the same machine: so it was with transmission of half a megabyte. Where clients get the same, as in
 *     most networks, processor time decides.
 * <li><b>Trials are short, and become rarer if they change nothing.</b> They cost about 2 % of what can be sent, except
 *     where the load keeps changing by more than a factor of two: how much is sent, or to how many at once.
 * <li><b>Bounds are multiples of the configured values</b>: larger values allow larger adaptations.
 * <li><b>The concurrency strategy of a port stays what it is.</b> It says who waits for a connection, and that cannot
 *     be handed over in the middle: a thread that waits in the kernel would have to be woken, and operations in flight
 *     on a proactor cannot be moved to a reactor. To compare two strategies, serve another port with the second one.
 * </ul>
 */
package dev.sluice.samples.adaptation;
