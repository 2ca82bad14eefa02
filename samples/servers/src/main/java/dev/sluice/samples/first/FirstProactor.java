package dev.sluice.samples.first;

import dev.sluice.connection.ProactiveAcceptor;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Sends back whatever it receives, by completions. */
public final class FirstProactor {

    private static final class Echo implements CompletionHandler {

        private final AsyncStream stream;

        Echo(Proactor proactor, SocketStream socket) throws IOException {
            stream = new AsyncStream(proactor, socket, this);
            stream.receiveContinuously(null);
        }

        @Override
        public void handleReceive(Completion completion) {
            if (completion.isLast()) {
                // Done in turn, when everything before has been sent.
                stream.shutdownOutput(null);
            } else {
                ProvidedBuffer received = completion.buffer().keep();
                stream.send(received.buffer(), received);
            }
        }

        @Override
        public void handleSend(Completion completion) {
            ((ProvidedBuffer) completion.token()).release();
        }

        @Override
        public void handleOther(Completion completion) {
            stream.close();
        }
    }

    public static void main(String[] args) throws IOException {
        try (Proactor proactor = Proactor.open()) {
            int port = Integer.getInteger("port", 7007);
            SocketAcceptor socket = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", port));
            new ProactiveAcceptor(proactor, socket, Echo::new).open();
            proactor.run();
        }
    }
}
