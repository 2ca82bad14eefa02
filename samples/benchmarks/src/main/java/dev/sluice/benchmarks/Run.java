package dev.sluice.benchmarks;

import dev.sluice.benchmarks.report.Report;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Session;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** Measures suites, and writes a report of the results, even if it is interrupted. */
final class Run {

    private final List<Suite> all;
    private final Scale scale;
    private final Path output;
    private final Host host;
    private final String command;
    private final PrintWriter out;

    /**
     * Creates a run.
     *
     * @param all        the suites that are reported if {@code output} has results of them
     * @param scale      the scale of the measurement
     * @param output     where samples and the report go: a directory
     * @param host       the host to run on
     * @param command    that the report is to name
     * @param out        gets the path of the report
     */
    Run(List<Suite> all, Scale scale, Path output, Host host, String command, PrintWriter out) {
        this.all = all;
        this.scale = scale;
        this.output = output;
        this.host = host;
        this.command = command;
        this.out = out;
    }

    /**
     * Measures until it is done or interrupted.
     *
     * @param suites to measure, in this order
     * @param err    gets progress, absences and failures
     * @return true if nothing failed
     * @throws IOException if a result cannot be written
     */
    boolean measure(List<Suite> suites, PrintWriter err) throws IOException {
        Session session = new Session(output, command, scale, host, err);
        Interruption interruption = Interruption.listen(host, () -> reportAtLast(session, err));
        try {
            boolean successful = runToTheEnd(session, suites);
            report();
            return successful;
        } finally {
            interruption.close();
        }
    }

    private boolean runToTheEnd(Session session, List<Suite> suites) throws IOException {
        boolean successful = false;
        try {
            successful = session.run(suites);
        } catch (InterruptedException e) {
            // The interruption requests the end, which follows.
        }
        if (host.isEnding()) {
            // Cleared for the rest, which does not wait.
            Thread.interrupted();
        }
        return successful;
    }

    private void reportAtLast(Session session, PrintWriter err) {
        try {
            session.keep();
            report();
        } catch (IOException e) {
            err.println(e);
            err.flush();
        }
    }

    private synchronized void report() throws IOException {
        out.println(Report.write(output, all));
        out.flush();
    }
}
