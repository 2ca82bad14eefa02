package dev.sluice.benchmarks.run;

import dev.sluice.samples.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures suites, round by round, and goes on after what fails. */
public final class Session {

    private final Scale scale;
    private final Host host;
    private final Results results;
    private final PrintWriter err;
    private final List<String> absences = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /**
     * Makes one.
     *
     * @param scale   how much to measure
     * @param host    where
     * @param results takes what is measured
     * @param err     gets progress, absences and failures
     */
    public Session(Scale scale, Host host, Results results, PrintWriter err) {
        this.scale = scale;
        this.host = host;
        this.results = results;
        this.err = err;
    }

    /**
     * Measures some suites one after the other.
     *
     * @param suites which
     * @throws IOException          if results cannot be kept
     * @throws InterruptedException if the thread is interrupted
     */
    public void run(List<Suite> suites) throws IOException, InterruptedException {
        for (int next = 0; next < suites.size() && !host.isEnding(); next++) {
            Suite suite = suites.get(next);
            Duration left = suites.subList(next, suites.size()).stream().map(each -> each.estimate(scale, host))
                    .reduce(Duration.ZERO, Duration::plus);
            say(suite.name() + ": suite " + (next + 1) + " of " + suites.size() + ", about " + Progress.inWords(left)
                    + " left for all");
            run(suite);
        }
    }

    private void run(Suite suite) throws IOException, InterruptedException {
        Preparation preparation;
        try {
            preparation = suite.prepare(scale, host);
        } catch (IOException e) {
            fail(suite.name() + ": " + e.getMessage());
            return;
        }
        try (preparation) {
            preparation.absences().forEach(line -> tell(absences, suite.name() + ": " + line));
            measure(suite, preparation);
        }
    }

    private void measure(Suite suite, Preparation preparation) throws IOException, InterruptedException {
        List<Trial> trials = new ArrayList<>(preparation.trials());
        int total = trials.size() * preparation.rounds();
        try (Progress progress = new Progress(err, suite.name() + ": ", Progress.isOnTerminal(), total,
                preparation.planned(), System::nanoTime)) {
            for (int round = 1; round <= preparation.rounds(); round++) {
                for (Trial trial : List.copyOf(trials)) {
                    if (host.isEnding()) {
                        return;
                    }
                    if (!measure(suite, trial, round)) {
                        trials.remove(trial);
                    }
                    progress.measured(trial.planned());
                }
            }
        }
    }

    private boolean measure(Suite suite, Trial trial, int round) throws IOException, InterruptedException {
        List<Sample> measured = new ArrayList<>();
        try {
            trial.measure((figure, value) -> measured.add(
                    new Sample(suite.name(), trial.scenario(), trial.contestant(), figure, round, value)));
        } catch (IOException | RuntimeException e) {
            // What fails because everything is being ended is no finding.
            if (!host.isEnding()) {
                fail(suite.name() + ": " + trial.contestant() + ", " + trial.scenario() + ": " + e);
            }
            return false;
        }
        if (host.isEnding()) {
            // Its processes have been ended, perhaps in the middle of it.
            return false;
        }
        for (Sample sample : measured) {
            results.add(sample);
        }
        return true;
    }

    private void fail(String line) {
        tell(failures, line);
    }

    private void tell(List<String> kept, String line) {
        synchronized (kept) {
            kept.add(line);
        }
        say(line);
    }

    private void say(String line) {
        err.println(line);
        err.flush();
    }

    /** {@return who did not take part, and why: a line each} */
    public List<String> absences() {
        synchronized (absences) {
            return List.copyOf(absences);
        }
    }

    /** {@return what failed: a line each} */
    public List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }
}
