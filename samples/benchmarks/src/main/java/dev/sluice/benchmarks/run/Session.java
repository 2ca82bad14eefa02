package dev.sluice.benchmarks.run;

import dev.sluice.samples.console.Progress;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Measures suites, round by round, and continues after failures. */
public final class Session {

    private final Path output;
    private final String command;
    private final Scale scale;
    private final Host host;
    private final PrintWriter err;
    private volatile SuiteRun current;
    private boolean failed;

    /**
     * Creates a session.
     *
     * @param output  takes what is measured: a directory with one for each suite
     * @param command that started it, for the report
     * @param scale   how much to measure
     * @param host    the host to run on
     * @param err     gets progress, absences and failures
     */
    public Session(Path output, String command, Scale scale, Host host, PrintWriter err) {
        this.output = output;
        this.command = command;
        this.scale = scale;
        this.host = host;
        this.err = err;
    }

    /**
     * Measures some suites one after the other.
     *
     * @param suites to measure
     * @return whether nothing failed
     * @throws IOException          if results cannot be kept
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean run(List<Suite> suites) throws IOException, InterruptedException {
        for (int next = 0; next < suites.size() && !host.isEnding(); next++) {
            Suite suite = suites.get(next);
            Duration left = suites.subList(next, suites.size()).stream().map(each -> each.estimate(scale, host))
                    .reduce(Duration.ZERO, Duration::plus);
            try (SuiteRun run = SuiteRun.begin(output, suite, command, scale)) {
                say(suite.name() + ": suite " + (next + 1) + " of " + suites.size() + ", about "
                        + Progress.inWords(left) + " left for all");
                current = run;
                run(suite, run);
                failed |= run.hasFailed();
            }
        }
        return !failed;
    }

    /**
     * Keeps what is known of the suite that is being measured. For any thread.
     *
     * @throws IOException if it cannot be written
     */
    public void keep() throws IOException {
        SuiteRun run = current;
        if (run != null) {
            run.describe();
        }
    }

    private void run(Suite suite, SuiteRun run) throws IOException, InterruptedException {
        Preparation preparation;
        try {
            preparation = suite.prepare(scale, host);
        } catch (IOException e) {
            fail(suite, run, FileProblem.describe(e));
            return;
        } catch (RuntimeException e) {
            fail(suite, run, e.toString());
            return;
        }
        try {
            preparation.peers().forEach(run::takesPart);
            preparation.absences().forEach(line -> absent(suite, run, line));
            measure(suite, preparation, run);
        } finally {
            host.takeUnpinned().ifPresent(line -> absent(suite, run, line));
            close(suite, preparation, run);
        }
        if (!host.isEnding()) {
            run.complete();
        }
    }

    private void close(Suite suite, Preparation preparation, SuiteRun run) {
        try {
            preparation.close();
        } catch (IOException | RuntimeException e) {
            if (!host.isEnding()) {
                fail(suite, run, "closing it: " + e);
            }
        }
    }

    private void measure(Suite suite, Preparation preparation, SuiteRun run)
            throws IOException, InterruptedException {
        List<Trial> trials = new ArrayList<>(preparation.trials());
        Map<Trial, List<Sample>> kept = new IdentityHashMap<>();
        trials.forEach(trial -> kept.put(trial, new ArrayList<>()));
        int total = trials.size() * preparation.rounds();
        try (Progress progress = new Progress(err, suite.name() + ": ", Progress.isOnTerminal(), total,
                preparation.planned(), System::nanoTime)) {
            for (int round = 1; round <= preparation.rounds(); round++) {
                for (Trial trial : order(trials, round)) {
                    if (host.isEnding()) {
                        return;
                    }
                    if (!measure(suite, trial, round, run, kept.get(trial))) {
                        trials.remove(trial);
                    }
                    progress.measured(round == 1 ? trial.plannedAtFirst() : trial.planned());
                }
            }
        }
    }

    /** Each round begins with the next contestant, so that none is always the first after a change of scenario. */
    private static List<Trial> order(List<Trial> trials, int round) {
        List<Trial> order = new ArrayList<>();
        int begin = 0;
        for (int end = 1; end <= trials.size(); end++) {
            if (end == trials.size() || !trials.get(end).scenario().equals(trials.get(begin).scenario())) {
                List<Trial> ofOneScenario = new ArrayList<>(trials.subList(begin, end));
                Collections.rotate(ofOneScenario, 1 - round);
                order.addAll(ofOneScenario);
                begin = end;
            }
        }
        return order;
    }

    private boolean measure(Suite suite, Trial trial, int round, SuiteRun run, List<Sample> kept)
            throws IOException, InterruptedException {
        List<Sample> measured = new ArrayList<>();
        try {
            trial.measure(new RoundRecorder(suite, trial, round, measured));
        } catch (IOException | RuntimeException e) {
            // A failure because everything is being ended is not reported.
            if (!host.isEnding()) {
                fail(suite, run, trial.contestant() + ", " + trial.scenario() + ": " + e);
                run.remove(kept);
            }
            return false;
        }
        if (host.isEnding()) {
            // Its processes have been ended, perhaps in the middle of it.
            return false;
        }
        for (Sample sample : measured) {
            run.add(sample);
        }
        kept.addAll(measured);
        return true;
    }

    /** Makes samples of what one trial measures in one round. */
    private record RoundRecorder(Suite suite, Trial trial, int round, List<Sample> samples) implements Recorder {

        @Override
        public void record(String figure, double value) {
            recordAt(trial.scenario(), figure, value);
        }

        @Override
        public void recordAt(String at, String figure, double value) {
            samples.add(new Sample(suite.name(), at, trial.contestant(), figure, round, value));
        }
    }

    private void absent(Suite suite, SuiteRun run, String line) {
        run.absent(line);
        say(suite.name() + ": " + line);
    }

    private void fail(Suite suite, SuiteRun run, String line) {
        run.fail(line);
        say(suite.name() + ": " + line);
    }

    private void say(String line) {
        err.println(line);
        err.flush();
    }
}
