package dev.sluice.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The process of a {@link SampleHost}. It reads lines such as {@code start 3 d2Vi}, {@code signal 3 TERM} and
 * {@code close 3}, where words of command lines are in Base64, and prints lines such as {@code 3 output cmVhZHk=}.
 */
final class HostedSamples {

    static final String OUTPUT = "output";
    static final String ERRORS = "errors";
    static final String EXIT = "exit";
    private static final String FAILURE = "failure";

    private final PrintStream reports = new PrintStream(System.out, true, UTF_8);
    private final Map<Integer, SampleThread> running = new ConcurrentHashMap<>();

    private HostedSamples() {
    }

    static String encode(String word) {
        return Base64.getEncoder().encodeToString(word.getBytes(UTF_8));
    }

    private static String decode(String word) {
        return new String(Base64.getDecoder().decode(word), UTF_8);
    }

    /** Runs samples until its input ends, so that it does not outlive the tests. */
    public static void main(String[] arguments) throws IOException {
        HostedSamples samples = new HostedSamples();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 3);
            samples.obey(words[0], Integer.valueOf(words[1]), words[2]);
        }
        System.exit(0);
    }

    private void obey(String command, Integer number, String rest) {
        switch (command) {
            case "start" -> start(number, Arrays.stream(rest.split(" ")).filter(word -> !word.isEmpty())
                    .map(HostedSamples::decode).toArray(String[]::new));
            case "signal" -> running.get(number).signal(rest);
            case "close" -> new Thread(running.get(number)::close, "close").start();
            default -> throw new IllegalArgumentException(command);
        }
    }

    private void start(Integer number, String... arguments) {
        SampleThread sample = SampleThread.start(new Reported(number, OUTPUT), new Reported(number, ERRORS),
                arguments);
        running.put(number, sample);
        new Thread(() -> await(number, sample), "end of a sample").start();
    }

    private void await(Integer number, SampleThread sample) {
        try {
            report(number, EXIT, Integer.toString(sample.awaitExit()).getBytes(UTF_8));
        } catch (Throwable e) {
            report(number, FAILURE, e.toString().getBytes(UTF_8));
        }
    }

    private synchronized void report(Integer number, String what, byte[] octets) {
        reports.println(number + " " + what + " " + Base64.getEncoder().encodeToString(octets));
    }

    /** Reports what a sample prints. */
    private final class Reported extends CapturedOutput {

        private final Integer number;
        private final String what;

        Reported(Integer number, String what) {
            super(Patience.LIMIT);
            this.number = number;
            this.what = what;
        }

        @Override
        void add(byte[] piece, int offset, int length) {
            report(number, what, Arrays.copyOfRange(piece, offset, offset + length));
        }
    }
}
