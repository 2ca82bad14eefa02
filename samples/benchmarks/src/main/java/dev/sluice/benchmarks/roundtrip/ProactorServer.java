package dev.sluice.benchmarks.roundtrip;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.net.SocketAddress;

/** A Proactor with one connection, which it receives from continuously. */
final class ProactorServer extends EchoServer {

    private final SocketAcceptor acceptor;
    private final Proactor proactor;

    ProactorServer(SocketAddress address, String demultiplexer) throws IOException {
        acceptor = SocketAcceptor.open(address);
        proactor = Proactor.open(demultiplexer);
    }

    @Override
    SocketAddress address() throws IOException {
        return acceptor.localAddress();
    }

    @Override
    void serve() throws IOException {
        try (acceptor; proactor; SocketStream stream = SluiceStreams.accept(acceptor)) {
            Echo echo = new Echo();
            echo.stream = new AsyncStream(proactor, stream, echo);
            echo.stream.receiveContinuously(null);
            proactor.run();
        }
    }

    @Override
    void stop() {
        proactor.stop();
    }

    /** Sends each buffer back as it comes. */
    private static final class Echo implements CompletionHandler {

        private AsyncStream stream;

        @Override
        public void handleCompletion(Completion completion) {
            if (completion.type() == OperationType.SEND) {
                sent(completion);
            } else {
                received(completion);
            }
        }

        private void received(Completion completion) {
            ProvidedBuffer received = completion.buffer();
            if (received == null) {
                // The client has closed the connection, or it is broken, which the client then notices.
                stream.close();
            } else {
                RetainedBuffer own = received.retain();
                stream.send(own.bytes(), own);
            }
        }

        private void sent(Completion completion) {
            ((RetainedBuffer) completion.token()).close();
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            stream.close();
        }
    }
}
