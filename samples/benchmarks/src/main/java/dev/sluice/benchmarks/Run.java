package dev.sluice.benchmarks;

import dev.sluice.benchmarks.report.Report;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Session;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** Suites that are measured, and what is kept of it in a directory, however it ends. */
final class Run {

    private final List<Suite> suites;
    private final Scale scale;
    private final Path output;
    private final Path serversInC;
    private final String command;

    /**
     * Makes one.
     *
     * @param suites     to measure, in this order
     * @param scale      how much of them
     * @param output     where samples and the report go: a directory
     * @param serversInC see {@link Host}; may be null
     * @param command    that the report is to name
     */
    Run(List<Suite> suites, Scale scale, Path output, Path serversInC, String command) {
        this.suites = suites;
        this.scale = scale;
        this.output = output;
        this.serversInC = serversInC;
        this.command = command;
    }

    /**
     * Measures, until it is done or the process is to end.
     *
     * @param err gets progress, absences and failures
     * @return whether nothing failed
     * @throws IOException if something cannot be kept
     */
    boolean measure(PrintWriter err) throws IOException {
        Host host = new Host(output.toAbsolutePath(), serversInC);
        try (Results results = Results.create(output)) {
            Session session = new Session(scale, host, results, err);
            // At once, so that there can be a report of whatever is measured until a sudden end.
            describe(session, false);
            Interruption interruption = Interruption.listen(host, () -> keepAtLast(session, err));
            try {
                boolean complete = runToTheEnd(session, host);
                keep(session, complete);
            } finally {
                interruption.close();
            }
            return session.failures().isEmpty();
        }
    }

    private boolean runToTheEnd(Session session, Host host) throws IOException {
        try {
            session.run(suites);
        } catch (InterruptedException e) {
            // To end, which is what happens now.
        }
        if (host.isEnding()) {
            // For the rest, which waits for nothing.
            Thread.interrupted();
        }
        return !host.isEnding();
    }

    private void keepAtLast(Session session, PrintWriter err) {
        try {
            keep(session, false);
        } catch (IOException e) {
            err.println(e);
            err.flush();
        }
    }

    private synchronized void keep(Session session, boolean complete) throws IOException {
        describe(session, complete);
        Report.write(output, suites);
    }

    private void describe(Session session, boolean complete) throws IOException {
        RunDescription.of(command, scale, session, complete).write(output);
    }

    /** {@return the file of the report} */
    Path report() {
        return output.resolve(Report.FILE);
    }
}
