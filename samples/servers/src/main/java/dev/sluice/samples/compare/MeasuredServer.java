package dev.sluice.samples.compare;

import dev.sluice.samples.compare.protocol.FramesProtocol;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.server.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The measured process, a server like all samples. It prints a line with its address, then its figures for each line
 * that it reads, and ends with its input, so that it never outlives the process that has started it.
 */
@Command
final class MeasuredServer implements Callable<Integer> {

    @Mixin
    private ServerOptions options;

    @Parameters
    private List<String> words;

    private MeasuredServer() {
    }

    /**
     * Serves.
     *
     * @param arguments options of all servers, and the {@linkplain Setup#words() setup}
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new MeasuredServer(), Surroundings.ofProcess().factory()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Setup setup = Setup.parse(words);
        ConcurrencyStrategy strategy = setup.strategy();
        options.apply(strategy.mode(), null, strategy.isConcurrent() ? strategy.toString() : null);
        StopRequest stop = options.newStopRequest();
        Thread figures = new Thread(() -> printFigures(stop), "figures");
        figures.setDaemon(true);
        figures.start();
        strategy.serve(new FramesProtocol(new BusyWork(), setup.pool()), options, setup.threads(), stop);
        return 0;
    }

    private static void printFigures(StopRequest stop) {
        try {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                System.out.println(ServerFigures.now().line());
            }
            stop.request();
        } catch (IOException e) {
            stop.fail(e);
        }
    }
}
