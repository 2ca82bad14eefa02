package dev.sluice.samples.oltp.frontend;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.samples.oltp.BackEndSample;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A back-end that reports its bank's size and answers no request of a client, but gives signs of life: replies that
 * match no request. So its links are kept open.
 */
final class MuteBackEnd implements AutoCloseable {

    private static final String BANK = "# Bank\r\nbranches:" + BackEndSample.BRANCHES + "\r\ntellers_per_branch:"
            + BackEndSample.TELLERS + "\r\naccounts_per_branch:" + BackEndSample.ACCOUNTS + "\r\n";
    private static final String INTRODUCTION = "*2\r\n:0\r\n$" + BANK.length() + "\r\n" + BANK + "\r\n";
    private static final String SIGN_OF_LIFE = "*2\r\n:999999999\r\n+OK\r\n";

    private final String signOfLife;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final AtomicInteger requests = new AtomicInteger();
    private final Queue<Socket> links = new ConcurrentLinkedQueue<>();

    MuteBackEnd() throws IOException {
        this(SIGN_OF_LIFE);
    }

    private MuteBackEnd(String signOfLife) throws IOException {
        this.signOfLife = signOfLife;
        start(this::accept);
    }

    /** {@return one that reports its bank's size again instead of each answer} */
    static MuteBackEnd thatIntroducesItselfAgain() throws IOException {
        return new MuteBackEnd(INTRODUCTION);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "mute back-end");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket link = listening.accept();
                links.add(link);
                start(() -> keepAlive(link));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void keepAlive(Socket link) {
        byte[] request = new byte[8192];
        try (link) {
            InputStream in = link.getInputStream();
            OutputStream out = link.getOutputStream();
            boolean introduced = false;
            while (in.read(request) > 0) {
                if (introduced) {
                    requests.incrementAndGet();
                }
                out.write((introduced ? signOfLife : INTRODUCTION).getBytes(US_ASCII));
                introduced = true;
            }
        } catch (IOException e) {
            // The front end has ended, or the test.
        }
    }

    /** {@return how often requests have come; several may come at once} */
    int requests() {
        return requests.get();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket link : links) {
            link.close();
        }
    }
}
