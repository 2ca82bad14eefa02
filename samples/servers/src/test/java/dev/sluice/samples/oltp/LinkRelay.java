package dev.sluice.samples.oltp;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Stands between a front end and a back-end. It can cut a link: requests may have arrived, and their replies not. It
 * can also hold all links: it accepts links and octets, as the system does for a suspended process, and passes nothing
 * on.
 */
public final class LinkRelay implements AutoCloseable {

    private final InetSocketAddress backEnd;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final Queue<Socket> links = new ConcurrentLinkedQueue<>();
    private boolean held;

    public LinkRelay(InetSocketAddress backEnd) throws IOException {
        this.backEnd = backEnd;
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "link relay");
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

    private void pass(Socket from, Socket to) {
        byte[] octets = new byte[8192];
        try (from; to) {
            for (int count; (count = from.getInputStream().read(octets)) > 0;) {
                awaitRelease();
                to.getOutputStream().write(octets, 0, count);
            }
        } catch (IOException e) {
            // The other direction has ended, or the link is cut.
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    private synchronized void awaitRelease() throws IOException {
        while (held) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    /** Passes nothing on until {@link #release()}. */
    public synchronized void hold() {
        held = true;
    }

    public synchronized void release() {
        held = false;
        notifyAll();
    }

    /** Cuts the oldest link. */
    public void cut() throws IOException {
        links.remove().close();
    }

    public int count() {
        return links.size();
    }

    @Override
    public void close() throws IOException {
        release();
        listening.close();
        for (Socket link : links) {
            link.close();
        }
    }
}
