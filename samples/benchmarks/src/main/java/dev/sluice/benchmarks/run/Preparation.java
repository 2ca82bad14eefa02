package dev.sluice.benchmarks.run;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A suite that is ready to be measured.
 *
 * @param trials   in the order in which a round measures them; those of one scenario stand together
 * @param rounds   how often each is measured
 * @param absences who does not take part, and what to install: a line each
 * @param peers    the versions of programs that take part, with their names
 * @param resource what has to be closed after the last trial
 */
public record Preparation(List<Trial> trials, int rounds, List<String> absences, List<String> peers,
        Closeable resource) implements Closeable {

    /**
     * One whose programs have no versions.
     *
     * @param trials   as above
     * @param rounds   as above
     * @param absences as above
     * @param resource as above
     */
    public Preparation(List<Trial> trials, int rounds, List<String> absences, Closeable resource) {
        this(trials, rounds, absences, List.of(), resource);
    }

    /**
     * One that holds nothing.
     *
     * @param trials   as above
     * @param rounds   as above
     * @param absences as above
     */
    public Preparation(List<Trial> trials, int rounds, List<String> absences) {
        this(trials, rounds, absences, () -> {
        });
    }

    /** {@return how long all rounds of all trials should take} */
    public Duration planned() {
        return trials.stream().map(trial -> trial.plannedAtFirst().plus(trial.planned().multipliedBy(rounds - 1)))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() throws IOException {
        resource.close();
    }
}
