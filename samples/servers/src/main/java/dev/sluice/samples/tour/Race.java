package dev.sluice.samples.tour;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures contestants in turn, in several rounds, so that what else happens on the machine meets all of them. Draws
 * the best round of each as a bar, beside that of the first contestant.
 */
final class Race {

    private static final int WIDTH = 40;

    private final List<MeasuredPeer> contestants;
    private final int rounds;
    private final long nanos;

    /**
     * Creates a race.
     *
     * @param contestants the first one is what the others are compared with
     * @param rounds      how often each is measured, after one round that warms up
     * @param millis      how long each time
     */
    Race(List<MeasuredPeer> contestants, int rounds, long millis) {
        this.contestants = contestants;
        this.rounds = rounds;
        this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /**
     * Measures and draws.
     *
     * @param out  takes the bars
     * @param unit of what is counted
     * @return by how much the rounds of the first contestant differ: the best divided by the worst
     */
    double run(PrintWriter out, String unit) throws IOException, InterruptedException {
        double[] best = new double[contestants.size()];
        double worst = Double.MAX_VALUE;
        for (int round = 0; round <= rounds; round++) {
            for (int i = 0; i < best.length; i++) {
                double rate = contestants.get(i).measure(nanos);
                if (round > 0) {
                    best[i] = Math.max(best[i], rate);
                    worst = i == 0 ? Math.min(worst, rate) : worst;
                }
            }
        }
        draw(out, best, unit);
        return best[0] / worst;
    }

    private void draw(PrintWriter out, double[] rates, String unit) {
        double longest = Arrays.stream(rates).max().orElseThrow();
        int names = contestants.stream().mapToInt(each -> each.name().length()).max().orElseThrow();
        for (int i = 0; i < rates.length; i++) {
            String bar = "#".repeat((int) Math.max(1, Math.round(rates[i] / longest * WIDTH)));
            out.printf(Locale.ROOT, "  %-" + names + "s  %-" + WIDTH + "s  %5.2f   %,.0f %s%n",
                    contestants.get(i).name(), bar, rates[i] / rates[0], rates[i], unit);
        }
        out.flush();
    }
}
