package dev.sluice.campaign.memory;

import dev.sluice.calls.SmallJvm;
import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** A server whose services need all the memory there is, and in which nothing else has ever failed. */
final class FirstShortage {

    private static final MemoryHog HOARD = new MemoryHog();

    private FirstShortage() {
    }

    /**
     * Accepts until it is killed.
     *
     * @param arguments the {@link Mode}
     */
    public static void main(String[] arguments) throws Exception {
        SocketAcceptor listener =
                SocketAcceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        EventLoop loop;
        if (Mode.valueOf(arguments[0]) == Mode.SYNCHRONOUS) {
            Reactor reactor = Reactor.open();
            loop = reactor;
            Acceptor.listen(List.of(reactor), listener, new ListenOptions(), FirstShortage::serve);
        } else {
            Proactor proactor = Proactor.open();
            loop = proactor;
            AsyncAcceptor.listen(List.of(proactor), listener, new ListenOptions(), stream -> serve());
        }
        System.out.println(SmallJvm.MARK + ((InetSocketAddress) listener.localAddress()).getPort());
        loop.run();
    }

    private static ServiceHandler serve() {
        HOARD.keepHeap(0);
        throw new OutOfMemoryError("thrown by the test");
    }
}
