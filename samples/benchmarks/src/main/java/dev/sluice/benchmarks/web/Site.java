package dev.sluice.benchmarks.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The files that are served.
 *
 * @param directory where they are
 */
record Site(Path directory) {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String END_OF_HEAD = "\r\n\r\n";

    /**
     * Writes them.
     *
     * @param directory is made
     * @return the site
     * @throws IOException if they cannot be written
     */
    static Site write(Path directory) throws IOException {
        Site site = new Site(Files.createDirectories(directory));
        for (int size : Page.SIZES) {
            Files.write(directory.resolve(Page.file(size)), site.content(size));
        }
        return site;
    }

    private byte[] content(int size) {
        byte[] content = new byte[size];
        new SplittableRandom(size).nextBytes(content);
        return content;
    }

    /**
     * Asks a server for each file, and compares all bytes.
     *
     * @param name of the server, for messages
     * @param port of the server
     * @throws IOException if one is wrong
     */
    void check(String name, int port) throws IOException {
        for (int size : Page.SIZES) {
            byte[] reply = get(port, "/" + Page.file(size));
            String head = new String(reply, 0, Math.min(reply.length, reply.length - size + END_OF_HEAD.length()),
                    StandardCharsets.ISO_8859_1);
            int begin = head.indexOf(END_OF_HEAD) + END_OF_HEAD.length();
            boolean right = head.startsWith("HTTP/1.1 200 ")
                    && Arrays.equals(reply, begin, reply.length, content(size), 0, size);
            if (!right) {
                throw new IOException(name + " sends something else than the file of " + size + " bytes: "
                        + head.lines().findFirst().orElse("nothing"));
            }
        }
    }

    private static byte[] get(int port, String target) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            ByteArrayOutputStream reply = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(reply);
            return reply.toByteArray();
        }
    }
}
