package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.server.FileProblem;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;

/** Exchanges on a {@link Proactor}: one system call submits and collects for all connections. */
final class ProactiveEngine implements Engine {

    static final String DEMULTIPLEXER = "io_uring";

    private final Proactor proactor = Proactor.open(DEMULTIPLEXER);
    private Throwable failure;

    ProactiveEngine() throws IOException {
    }

    @Override
    public void add(SocketStream stream, Exchange exchange) throws IOException {
        new Connection(stream, exchange).open();
    }

    @Override
    public void dispatch(Duration longest) throws IOException {
        proactor.runOnce(longest);
        if (failure != null) {
            throw new IOException(FileProblem.describe(failure), failure);
        }
    }

    @Override
    public void close() {
        proactor.close();
    }

    private final class Connection implements CompletionHandler {

        private final AsyncStream stream;
        private final Exchange exchange;
        private boolean sending;

        Connection(SocketStream stream, Exchange exchange) throws IOException {
            this.stream = new AsyncStream(proactor, stream, this);
            this.exchange = exchange;
        }

        void open() {
            stream.receiveContinuously(null);
            send();
        }

        private void send() {
            if (!sending && !exchange.isFull()) {
                sending = true;
                stream.send(exchange.next(), null);
            }
        }

        @Override
        public void handleCompletion(Completion completion) throws IOException {
            if (completion.type() == OperationType.SEND) {
                sent(completion);
            } else {
                received(completion);
            }
        }

        private void received(Completion completion) throws IOException {
            if (completion.buffer() != null) {
                exchange.received(completion.buffer().bytes());
                send();
            } else if (completion.isEndOfStream()) {
                throw new EOFException("the server has closed " + stream);
            } else {
                requireNoFailure(completion);
            }
        }

        private void sent(Completion completion) throws IOException {
            sending = false;
            requireNoFailure(completion);
            send();
        }

        // At the end everything is cancelled.
        private void requireNoFailure(Completion completion) throws IOException {
            if (completion.isFailure()) {
                throw completion.error();
            }
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            failure = cause;
        }
    }
}
