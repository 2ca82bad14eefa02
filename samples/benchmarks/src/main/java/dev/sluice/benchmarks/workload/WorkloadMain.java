package dev.sluice.benchmarks.workload;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.samples.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Runs one workload, and prints each figure on a line, see {@link PrintedFigures}. */
final class WorkloadMain {

    private WorkloadMain() {
    }

    /**
     * Runs it.
     *
     * @param args the class, how long to warm up and to measure in milliseconds, and the arguments of the workload
     * @throws Exception if it fails
     */
    public static void main(String[] args) throws Exception {
        Main.speakToPrograms();
        Class<? extends Workload> type = Class.forName(args[0]).asSubclass(Workload.class);
        run(type, Arrays.asList(args).subList(3, args.length), millis(args[1]), millis(args[2]),
                new PrintedFigures(System.out));
    }

    private static Duration millis(String number) {
        return Duration.ofMillis(Long.parseLong(number));
    }

    static void run(Class<? extends Workload> type, List<String> arguments, Duration warmUp, Duration measured,
            Recorder recorder) throws IOException, InterruptedException {
        try (Workload workload = make(type, arguments)) {
            if (!warmUp.isZero()) {
                warmUp(workload, warmUp);
            }
            workload.work(measured, recorder);
        }
    }

    private static void warmUp(Workload workload, Duration all) throws IOException, InterruptedException {
        Recorder none = new PrintedFigures(new PrintStream(OutputStream.nullOutputStream()));
        int parts = workload.warmUpParts();
        for (int i = 0; i < parts; i++) {
            workload.warmUp(all.dividedBy(parts), none);
        }
    }

    private static Workload make(Class<? extends Workload> type, List<String> arguments) throws IOException {
        try {
            return type.getConstructor(List.class).newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new IOException(type.getSimpleName() + " cannot begin: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
