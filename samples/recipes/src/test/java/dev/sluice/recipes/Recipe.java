package dev.sluice.recipes;

import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Starts recipes as their users do. */
final class Recipe {

    private Recipe() {
    }

    /** {@return a process to be started} Its standard input is empty unless that is changed. */
    static ProcessBuilder process(Class<?> recipe, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), recipe.getName()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command);
    }

    /** Starts one that listens, and waits until it does. */
    static SampleProcess listening(Class<?> recipe, InetSocketAddress address, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(Integer.toString(address.getPort())));
        all.addAll(Arrays.asList(arguments));
        SampleProcess process = SampleProcess.start(process(recipe, all.toArray(String[]::new)));
        try {
            Patience.until(recipe.getSimpleName() + " listens", () -> !process.isAlive() || accepts(address));
            return process;
        } catch (Throwable e) {
            process.close();
            throw e;
        }
    }

    /** {@return whether a connection is accepted there} */
    static boolean accepts(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
