/**
 * A server that observes its load and adapts to it, as in the JAWS paper: settings that suit small files do not suit
 * large ones, and a number of threads that is right by day is wrong by night.
 *
 * <p>{@link dev.sluice.samples.adaptation.Adaptation} is the state of a service: a setting, and recent observations.
 * From a {@link dev.sluice.samples.adaptation.LoadSample} it computes the next state, without side effects: the caller
 * that takes the samples applies the setting. {@link dev.sluice.samples.adaptation.PoolAdaptation} is the state of a
 * pool of threads, of which a server has one for each port whose concurrency strategy uses a pool; {@link
 * dev.sluice.samples.adaptation.StrategyAdaptation} is the state of a concurrency strategy that changes while the
 * server runs; {@link dev.sluice.samples.adaptation.ServerAdaptation} is the state of all of them together.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>One observation may be chance.</b> A change is made after several consecutive samples have requested it, and
 * it is undone only if a sample is clearly different: otherwise the server would oscillate between two settings.
 * <li><b>Increase soon, decrease later.</b> Too few threads make clients wait, too many cost a little memory.
 * <li><b>A growth without effect is undone.</b> All threads may be busy, however many there are: this shows only that
 * more might help. Measuring throughput alternately without and with them shows whether they do. If each thread waits
 * for its client, more threads serve more clients, and there is nothing to compare.
 * <li><b>One experiment at a time.</b> A trial of ways or strategies and the growth of a pool are judged by the
 * throughput of the server at all of its ports: the work of one pool is not counted by itself. Two concurrent
 * experiments would influence each other's results, so the second one waits. Changes of another port's load are chance,
 * like any load.
 * <li><b>The cost of a way to send files is measured, not guessed.</b> It does not follow from their size or
 *     popularity: mapping is a sixth faster for files of half a megabyte and a sixth slower for a tenth of that, and
 *     for others it depends on the concurrency strategy. So the ways are tried alternately, for files of one {@link
 *     dev.sluice.samples.io.SizeClass} at a time. The configured way is kept unless another one is clearly better.
 * <li><b>Throughput counts before processor time.</b> A way that saves the server time may cost a client on the same
 * machine more, as transmission of half a megabyte does. If throughput is the same, as in most networks, processor time
 * decides.
 * <li><b>Trials are short, and become rarer if they change nothing.</b> They cost about 2 % of the throughput, except
 * where the load keeps changing by more than a factor of two, in throughput or in concurrent requests.
 * <li><b>Bounds are multiples of the configured values</b>: larger values allow larger adaptations.
 * <li><b>The concurrency strategy is adapted only where it can change</b> ({@code --changeable}), by trials of other
 *     ones. A connection moves to another strategy only between two requests, and not while its thread waits for it in
 *     the kernel: so samples count from when nearly all have moved, a trial is given up if they do not, and none begins
 *     before the earlier strategies have ended. Thus the number of strategies that run at the same time is bounded by
 *     the rounds of one trial.
 * <li><b>A strategy whose threads are held by clients is left without a trial</b> when there are more connections than
 *     threads: those that wait are not in its throughput.
 * </ul>
 */
package dev.sluice.samples.adaptation;
