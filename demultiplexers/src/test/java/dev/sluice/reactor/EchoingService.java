package dev.sluice.reactor;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.SmallJvm;
import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Connector;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.eventloop.EventLoopContract;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A program that says how many bytes of garbage a message costs that a service handler receives and sends back. */
final class EchoingService extends ServiceHandler {

    private static final int MESSAGES = 50_000;

    private final Reactor reactor;
    private int messages;
    private int target;

    private EchoingService(Reactor reactor) {
        this.reactor = reactor;
    }

    @Override
    protected void received(ByteBuffer bytes) {
        if (++messages == target) {
            reactor.stop();
        }
        output().send(bytes);
    }

    public static void main(String[] none) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            Acceptor acceptor = Acceptor.listen(reactor, new InetSocketAddress("127.0.0.1", 0),
                    () -> new EchoingService(reactor));
            EchoingService client = Connector.connect(reactor, acceptor.localAddress(), EventLoopContract.LIMIT,
                    new EchoingService(reactor));
            client.output().send(ByteBuffer.wrap("a message".getBytes()));
            System.out.println(SmallJvm.MARK + perMessage(reactor, client));
        }
    }

    // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
    private static double perMessage(Reactor reactor, EchoingService client) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double perMessage = Double.MAX_VALUE;
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        while (perMessage >= 1 && System.nanoTime() - end < 0) {
            long before = threads.getCurrentThreadAllocatedBytes();
            client.target = client.messages + MESSAGES / 2;
            reactor.run();
            perMessage = (double) (threads.getCurrentThreadAllocatedBytes() - before) / MESSAGES;
        }
        return perMessage;
    }
}
