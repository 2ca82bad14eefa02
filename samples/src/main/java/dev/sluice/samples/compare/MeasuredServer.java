package dev.sluice.samples.compare;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.samples.concurrency.ConcurrencyModel;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

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
     * @param arguments the name of the model's constant, the demultiplexer, the number of threads
     */
    public static void main(String[] arguments) throws IOException {
        ConcurrencyModel model = ConcurrencyModel.valueOf(arguments[0]);
        SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        acceptor.setOption(NativeSocketOptions.TCP_NODELAY, true);
        int port = ((InetSocketAddress) acceptor.localAddress()).getPort();
        Closeable server = model.open(acceptor, BusyWork::handleRequest, arguments[1], Integer.parseInt(arguments[2]));
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
