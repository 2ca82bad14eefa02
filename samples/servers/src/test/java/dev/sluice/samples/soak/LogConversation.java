package dev.sluice.samples.soak;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Records over TCP, each of which has to be stored, and over UDP, none of which may be stored twice or changed. */
final class LogConversation implements Conversation {

    private static final int RECORDS = 200;
    private static final int DATAGRAMS = 10;
    private static final String STREAM = "<13>stream ";
    private static final String DATAGRAM = "<13>datagram ";

    private final InetSocketAddress address;
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger datagrams = new AtomicInteger();

    LogConversation(InetSocketAddress address) {
        this.address = address;
    }

    @Override
    public int hold(Random random) throws IOException {
        int number = streams.getAndIncrement();
        boolean counted = random.nextBoolean();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < RECORDS; i++) {
            String record = STREAM + number + " " + i + " " + "x".repeat((number + i) % 50);
            text.append(counted ? record.length() + " " + record : record + "\n");
        }
        byte[] octets = text.toString().getBytes(US_ASCII);
        try (PlainClient client = new PlainClient(address); DatagramSocket socket = new DatagramSocket()) {
            for (int from = 0; from < octets.length; ) {
                int length = Math.min(1 + random.nextInt(2000), octets.length - from);
                client.send(octets, from, length);
                from += length;
            }
            for (int i = 0; i < DATAGRAMS; i++) {
                byte[] record = (DATAGRAM + datagrams.getAndIncrement()).getBytes(US_ASCII);
                socket.send(new DatagramPacket(record, record.length, address));
            }
            client.endOutput();
            client.expectEnd();
        }
        return RECORDS + DATAGRAMS;
    }

    /** {@return what is wrong with the file, once the server has ended: empty if nothing is} */
    List<String> compare(Path file) throws IOException {
        List<String> wrong = new ArrayList<>();
        int[] next = new int[streams.get()];
        BitSet seen = new BitSet();
        try (Stream<String> lines = Files.lines(file, ISO_8859_1)) {
            lines.forEach(line -> {
                if (line.startsWith(STREAM)) {
                    String[] words = line.substring(STREAM.length()).split(" ", 3);
                    int number = Integer.parseInt(words[0]);
                    int i = Integer.parseInt(words[1]);
                    if (next[number]++ != i || !words[2].equals("x".repeat((number + i) % 50))) {
                        wrong.add(line);
                    }
                } else if (line.startsWith(DATAGRAM)) {
                    int i = Integer.parseInt(line.substring(DATAGRAM.length()));
                    if (seen.get(i) || i >= datagrams.get()) {
                        wrong.add(line);
                    }
                    seen.set(i);
                }
            });
        }
        for (int number = 0; number < next.length; number++) {
            if (next[number] != RECORDS) {
                wrong.add(next[number] + " of the " + RECORDS + " records of stream " + number);
            }
        }
        System.out.printf("logging: %d streams of %d records stored, and %d of %d datagrams%n", next.length, RECORDS,
                seen.cardinality(), datagrams.get());
        return wrong;
    }
}
