package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client that asks a server to reload its configuration. */
record ControlClient(InetSocketAddress address) {

    private static final Pattern POOL = Pattern.compile("port (\\d+) threads \\d+");
    private static final Pattern ADDRESS = Pattern.compile(".* control on /?([\\d.]+):(\\d+)");

    /** {@return one for the address that a server has chosen} */
    static ControlClient of(WebSample web) throws InterruptedException {
        // It listens there before it has read its configuration, which the caller may be about to change.
        web.address();
        String line = web.process().errors().awaitLine("control address", ADDRESS.asMatchPredicate());
        Matcher found = ADDRESS.matcher(line);
        if (!found.matches()) {
            throw new AssertionError(line);
        }
        return new ControlClient(new InetSocketAddress(found.group(1), Integer.parseInt(found.group(2))));
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    /** {@return the lines of the answer} */
    List<String> ask(String line) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write((line + "\n").getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8).lines().toList();
        }
    }

    /** Asks the server to reload its configuration, and checks that it does. */
    void reload() throws IOException {
        List<String> answer = ask("reload");
        if (answer.size() != 1 || !answer.get(0).matches("ok: configuration \\d+ is active")) {
            throw new AssertionError(answer);
        }
    }

    /** {@return the ports besides the first that have a pool of threads, in their order} */
    List<Integer> portsOfPools() throws IOException {
        return ask("status").stream().map(POOL::matcher).filter(Matcher::matches)
                .map(line -> Integer.valueOf(line.group(1))).toList();
    }

    /** {@return a figure of its status} */
    String status(String name) throws IOException {
        return ask("status").stream().filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1)).findFirst().orElse("");
    }
}
