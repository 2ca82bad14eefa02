package dev.sluice.samples.hybrid;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.lines.Lines;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that receives calls, from the peer or from another client: the server in a hybrid. */
final class CallHandler extends ServiceHandler {

    private static final Logger LOG = LoggerFactory.getLogger(CallHandler.class);

    private final Fibonacci fibonacci;
    private final Counts counts;
    private final Lines lines = new Lines();

    CallHandler(Fibonacci fibonacci, Counts counts) {
        this.fibonacci = fibonacci;
        this.counts = counts;
    }

    @Override
    protected void open() throws IOException {
        counts.clients.incrementAndGet();
    }

    @Override
    public void handleClose(Registration registration) {
        peer().close();
        counts.clients.decrementAndGet();
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        if (!lines.receive(peer())) {
            registration.close();
            return;
        }
        for (String line = lines.next(); line != null; line = lines.next()) {
            answer(Call.parse(line));
        }
    }

    private void answer(Call call) throws IOException {
        Response response;
        try {
            response = new Response(call.id(), fibonacci.number(call.number()), null);
        } catch (IOException e) {
            counts.failed.increment();
            response = new Response(call.id(), 0, FileProblem.describe(e));
        }
        counts.answered.increment();
        Lines.answer(peer(), response.line());
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

    /** {@return for example {@code calls of tcp 127.0.0.1:40000}} */
    @Override
    public String toString() {
        return "calls of " + peer();
    }
}
