package dev.sluice.proactor;

import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program whose direct buffers take all that the virtual machine allows, before its first connection is served. */
final class ExhaustedDirectMemory {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STEP = 64 * 1024;

    private ExhaustedDirectMemory() {
    }

    /**
     * Serves one message by provided buffers, and one from the heap.
     *
     * @param arguments the name of the demultiplexer
     */
    public static void main(String[] arguments) throws Exception {
        try (Proactor proactor = Proactor.open(arguments[0]);
                SocketAcceptor acceptor = SocketAcceptor.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketStream near = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                SocketStream far = acceptor.accept(PATIENCE)) {
            Thread loop = new Thread(() -> run(proactor), "loop");
            loop.setDaemon(true);
            loop.start();
            List<ByteBuffer> all = new ArrayList<>();
            try {
                while (true) {
                    all.add(ByteBuffer.allocateDirect(STEP));
                }
            } catch (OutOfMemoryError e) {
                say("exhausted " + !all.isEmpty());
            }
            CompletableFuture<String> received = new CompletableFuture<>();
            AsyncStream in = new AsyncStream(proactor, near, new CompletionHandler() {
                @Override
                public void handleCompletion(Completion completion) {
                    received.complete(completion.isSuccess() ? "served" : completion.error().toString());
                }
            });
            in.receiveContinuously(null);
            new AsyncStream(proactor, far).sendFuture(ByteBuffer.allocate(10)).get(PATIENCE.toSeconds(),
                    TimeUnit.SECONDS);
            say(received.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            say("held " + !all.isEmpty());
        }
        System.exit(0);
    }

    private static void run(Proactor proactor) {
        try {
            proactor.run();
        } catch (Exception e) {
            say(e.toString());
        }
    }

    private static void say(String what) {
        System.out.println(SmallJvm.MARK + what);
    }
}
