package dev.sluice.samples.levels;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.lines.Lines;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection. While one of its jobs is in the queue or in progress, its handle is deactivated, so that the events of
 * all sources are handled one at a time.
 */
final class ClientHandler extends ServiceHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ClientHandler.class);

    private final LevelGroup group;
    private final Lines lines = new Lines();

    ClientHandler(LevelGroup group) {
        this.group = group;
    }

    @Override
    protected void open() throws IOException {
        group.clients().incrementAndGet();
    }

    @Override
    public void handleClose(Registration registration) {
        peer().close();
        group.clients().decrementAndGet();
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        if (!lines.receive(peer())) {
            registration.close();
            return;
        }
        // Before there is a job: the thread that runs the job reactivates the handle, perhaps before this hook has
        // returned.
        registration.pause();
        proceed();
    }

    /** The job is done. */
    void finish(String digest) {
        try {
            if (digest != null) {
                Lines.answer(peer(), digest);
            }
            proceed();
        } catch (IOException e) {
            handleFailure(registration(), e);
            peer().close();
        }
    }

    /** Takes what has been received up to the next job; receives again when there is none. */
    private void proceed() throws IOException {
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (begin(line)) {
                return;
            }
        }
        registration().resume();
    }

    /** Returns whether there is a job now. */
    private boolean begin(String line) throws IOException {
        Job job;
        try {
            job = Job.parse(this, line);
        } catch (IOException e) {
            Lines.answer(peer(), "error " + e.getMessage());
            return false;
        }
        boolean accepted = group.offer(job);
        if (!accepted) {
            Lines.answer(peer(), "busy");
        }
        return accepted;
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        if (cause instanceof SystemCallException) {
            // Peers often break connections.
            LOG.debug("{}", peer(), cause);
        } else {
            LOG.info("{} is closed: {}", peer(), FileProblem.describe(cause));
        }
    }

    /** {@return for example {@code client tcp 127.0.0.1:40000}} */
    @Override
    public String toString() {
        return "client " + peer();
    }
}
