package dev.sluice.benchmarks.load;

import java.util.List;

/**
 * The results of clients. Counts cover the measured time; response times cover all replies from its beginning to the
 * end of the final wait, as the longest ones arrive last.
 *
 * @param seconds          the length of the measurement, in seconds
 * @param served           the replies that brought the page
 * @param refused          the replies that brought an error page
 * @param unanswered       requests whose connection was refused, or ended without a reply, and those that had none when
 *                         the timeout elapsed
 * @param bytes            of all replies
 * @param fairness         Jain's index of the pages that the clients got: 1 if all got as many
 * @param mean             the mean response time, in microseconds; with connecting, if that was to be done
 * @param percentiles      the response times of {@link #SHARES}, in microseconds
 * @param serverCpuSeconds the CPU time that the server has used; null where the system does not tell
 * @param course           the 90th percentile of the response times in each window of the whole run, the time before
 *                         the measured one included, in microseconds; 0 for a window in which nothing was served
 * @param generatorBusy    the share of the time that the load generator was busy, from 0 to 1
 * @param beside           the results of the clients beside these; null if there were none
 */
public record ClientsResult(double seconds, long served, long refused, long unanswered, long bytes, double fairness,
        double mean, List<Double> percentiles, Double serverCpuSeconds, List<Double> course,
        double generatorBusy, ClientsResult beside) {

    /** The shares of requests whose longest response time is reported, in percent. */
    public static final List<Double> SHARES = List.of(50.0, 75.0, 90.0, 99.0, 99.9, 99.99, 100.0);

    /**
     * {@return the longest response time of a share of the requests, in microseconds}
     *
     * @param share one of {@link #SHARES}
     */
    public double percentile(double share) {
        return percentiles.get(SHARES.indexOf(share));
    }
}
