package dev.sluice.samples.compare;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.samples.concurrency.Arrangement;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The process that is measured. It prints its port, then its figures for each line that it reads, and ends with its
 * input, so that it never outlives who has started it.
 */
final class MeasuredServer {

    private MeasuredServer() {
    }

    /**
     * Serves.
     *
     * @param arguments the number of threads, the number of handle sets, and the {@linkplain Setup#words() setup}
     */
    public static void main(String[] arguments) throws IOException {
        Setup setup = Setup.parse(List.of(arguments).subList(2, arguments.length));
        Arrangement parts = new Arrangement(setup.demultiplexer(), Integer.parseInt(arguments[0]),
                Integer.parseInt(arguments[1]), setup.pool());
        SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        acceptor.setOption(NativeSocketOptions.TCP_NODELAY, true);
        int port = ((InetSocketAddress) acceptor.localAddress()).getPort();
        Closeable server = setup.model().open(acceptor, new BusyWork(), parts);
        try {
            System.out.println(port);
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                System.out.println(ServerFigures.now().line());
            }
        } finally {
            server.close();
        }
    }
}
