package dev.sluice.recipes;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.DatagramBatch;
import dev.sluice.handle.DatagramSendBatch;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Sends each datagram back to its sender, up to 64 with one system call, and reports how many were dropped. After an
 * error that passes, such as a lack of memory, it receives again 100 ms later.
 */
public final class UdpEcho {

    private static long unsent;

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open();
                SocketDatagram socket = SocketDatagram.open(new InetSocketAddress(Integer.parseInt(args[0])));
                DatagramBatch in = new DatagramBatch(socket, 64, 2048);
                DatagramSendBatch out = new DatagramSendBatch(socket, 64, 2048)) {
            reactor.register(socket.handle(), Interest.READ, registration -> {
                try {
                    in.receive();
                } catch (SystemCallException e) {
                    if (ErrorScope.ofReceive(e) == ErrorScope.SOCKET) {
                        throw e;
                    } else if (ErrorScope.ofReceive(e) == ErrorScope.TEMPORARY) {
                        registration.pause();
                        reactor.schedule(registration::resume, Duration.ofMillis(100));
                    }
                }
                for (int i = 0; i < in.count(); i++) {
                    out.addReply(in, i);
                }
                unsent += out.sendOrDrop();
            });
            reactor.schedule(token -> System.out.println("dropped: " + in.dropped() + " in, " + unsent + " out"), null,
                    Duration.ofSeconds(1), Duration.ofSeconds(10));
            reactor.stopOnTermination(Duration.ofSeconds(1));
            reactor.run();
        }
    }
}
