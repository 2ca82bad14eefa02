package dev.sluice.benchmarks.seda.sockets;

import dev.sluice.benchmarks.load.BurstTally;
import dev.sluice.benchmarks.peers.Announcement;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Acknowledges bursts in the hooks of a Proactor. */
public final class ProactorServer {

    private ProactorServer() {
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments the bytes of a burst
     * @throws IOException if it cannot accept
     */
    public static void main(String[] arguments) throws IOException {
        long burst = Long.parseLong(arguments[0]);
        try (Proactor proactor = Proactor.open();
                SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0))) {
            AsyncAcceptor.listen(List.of(proactor), acceptor, new ListenOptions(),
                    stream -> new Connection(stream, burst).stream.receiveContinuously(null));
            Announcement.print("Proactor", acceptor.localAddress());
            proactor.run();
        }
    }

    /** What belongs to one. */
    private static final class Connection implements CompletionHandler {

        private static final Object LAST = "last";

        private final BurstTally tally;
        private final AsyncStream stream;

        Connection(AsyncStream stream, long burst) {
            this.stream = stream.withHandler(this);
            tally = new BurstTally(burst);
        }

        @Override
        public void handleCompletion(Completion completion) {
            if (completion.type() == OperationType.SEND) {
                sent(completion);
            } else {
                received(completion);
            }
        }

        private void received(Completion completion) {
            if (completion.isEndOfStream()) {
                stream.send(tally.acknowledgement(), LAST);
            } else if (completion.isSuccess()) {
                ByteBuffer bytes = completion.buffer().bytes();
                while (bytes.hasRemaining()) {
                    if (tally.take(bytes)) {
                        stream.send(tally.acknowledgement(), null);
                    }
                }
            } else {
                // The client has reset the connection, which it knows.
                stream.close();
            }
        }

        private void sent(Completion completion) {
            if (completion.token() == LAST || !completion.isSuccess()) {
                stream.close();
            }
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            cause.printStackTrace();
            stream.close();
        }
    }
}
