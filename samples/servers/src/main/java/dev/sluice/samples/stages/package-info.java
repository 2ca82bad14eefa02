/**
 * A live view of a graph of stages: a page that draws the stages, their queues and threads, the events passed between
 * them and rejected, and response times.
 *
 * <p>A web server puts a {@link dev.sluice.samples.stages.StagesHandler} before the handler that answers everything
 * else. Any other server opens a {@link dev.sluice.samples.stages.StatusServer}, which shows the same page at a port of
 * its own. To see response times, a stage needs {@link dev.sluice.stages.StageOptions#recordResponseTimes()} or a
 * controller that looks at them.
 *
 * <p>Looking takes no lock and asks nothing of the threads of stages: all numbers are read from the counts that they
 * keep anyhow. What there is between two looks, such as a rate, is worked out by the page. It says how many response
 * times it knew of, as in {@code /stages.json?since=0:17,1:0}, by the numbers of the stages, and gets percentiles of
 * those that have come since; so the server keeps no state of the viewers.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The page depends only on the server.</b> Its script and its styles are at addresses of their own, and its
 *     Content-Security-Policy allows nothing else: so the name of a stage cannot become a script, whatever it is.
 * <li><b>The layout is computed here</b>, where it can be tested, and the script only draws it: layers from the top to
 *     the bottom, few crossings, and the edges of circles upwards ({@code GraphLayout}).
 * <li><b>A library writes the JSON</b>, because names are the application's: any characters can be in them.
 * <li><b>The server of the page has a thread of its own</b>, so that it can be looked at while all stages are busy.
 * </ul>
 */
package dev.sluice.samples.stages;
