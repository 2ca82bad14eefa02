package dev.sluice.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.samples.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The process of the load generator: takes an {@link Order} a line, and prints an {@link Answer} for each. */
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
        Main.speakToPrograms();
        ObjectMapper mapper = new ObjectMapper();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = System.out;
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            answers.println(mapper.writeValueAsString(answer(mapper.readValue(line, Order.class))));
            answers.flush();
        }
    }

    private static Answer answer(Order order) {
        try {
            return answerTo(order);
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            return new Answer(null, null, null, e.toString());
        }
    }

    private static Answer answerTo(Order order) throws IOException {
        if (order.clients() != null) {
            return new Answer(null, new ClientsRun(order.clients()).measure(), null, null);
        }
        if (order.visits() != null) {
            return new Answer(null, new VisitsRun(order.visits()).measure(), null, null);
        }
        if (order.packets() != null) {
            return new Answer(null, null, new PacketsRun(order.packets()).measure(), null);
        }
        return new Answer(measure(order.load()), null, null, null);
    }

    private static LoadResult measure(Load load) throws IOException {
        return switch (load.kind()) {
            case ECHO -> new EchoLoad(load).measure();
            case CHURN -> ChurnLoad.ofMessages(load).measure();
            case BURSTS -> new BurstLoad(load).measure();
            case FILES -> ChurnLoad.ofFiles(load).measure();
        };
    }
}
