package dev.sluice.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The process of the load generator: takes a {@link Load} a line, and prints an {@link Answer} for each. */
public final class LoadMain {

    private LoadMain() {
    }

    /**
     * Runs until standard input ends.
     *
     * @param arguments none
     * @throws IOException if standard input cannot be read, or is not JSON
     */
    public static void main(String[] arguments) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = System.out;
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            answers.println(mapper.writeValueAsString(answer(mapper.readValue(line, Load.class))));
            answers.flush();
        }
    }

    private static Answer answer(Load load) {
        try {
            return new Answer(switch (load.kind()) {
                case ECHO -> new EchoLoad(load).measure();
                case CHURN -> new ChurnLoad(load).measure();
            }, null);
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            return new Answer(null, e.toString());
        }
    }
}
