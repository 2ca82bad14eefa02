package dev.sluice.samples.oltp.frontend;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Stands between a front end and a back-end, and can cut a link: requests may have arrived, and their replies not. */
final class LinkCutter implements AutoCloseable {

    private final InetSocketAddress backEnd;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final Queue<Socket> links = new ConcurrentLinkedQueue<>();

    LinkCutter(InetSocketAddress backEnd) throws IOException {
        this.backEnd = backEnd;
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "link cutter");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket front = listening.accept();
                Socket back = new Socket(backEnd.getAddress(), backEnd.getPort());
                front.setTcpNoDelay(true);
                back.setTcpNoDelay(true);
                links.add(front);
                start(() -> pass(front, back));
                start(() -> pass(back, front));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from; to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The other direction has ended, or the link is cut.
        }
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** Cuts the oldest link. */
    void cut() throws IOException {
        links.remove().close();
    }

    int count() {
        return links.size();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket link : links) {
            link.close();
        }
    }
}
