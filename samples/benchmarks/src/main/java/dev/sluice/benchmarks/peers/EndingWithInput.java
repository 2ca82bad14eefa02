package dev.sluice.benchmarks.peers;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** Runs another main class until standard input ends, so that no server outlives the process that has started it. */
public final class EndingWithInput {

    private static final int FAILED = 1;

    private EndingWithInput() {
    }

    /**
     * Runs it.
     *
     * @param arguments the name of the class, and its arguments
     * @throws ReflectiveOperationException if it has no main method
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread input = new Thread(EndingWithInput::awaitEnd, "standard-input");
        input.setDaemon(true);
        input.start();
        Object rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, rest);
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace();
            System.exit(FAILED);
        }
    }

    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said, only the end counts.
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
        // Without shutdown hooks: the measurement is over, and there is nothing to save.
        Runtime.getRuntime().halt(0);
    }
}
