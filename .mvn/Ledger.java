import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Adds up what the tests of a build have cost, from the files that {@code dev.sluice.testing.Ledger} has written, and
 * prints it: the runs beside their budget, the classes that took longest, the tests that waited longest, why tests
 * were skipped, what was left out. Fails if a budget of {@code .mvn/budget.properties} is exceeded or a reason to skip
 * is not in {@code .mvn/skips.txt}. On a slower machine a budget is as much larger as a fixed piece of work takes
 * longer there. Times count only if the build had the machine to itself, with two processors or more: of a busier
 * machine they are printed alone.
 *
 * <p>Arguments: the directory of all ledgers, whose newest is read, and the one of the budget.
 */
final class Ledger {

    private static final DateTimeFormatter BUILD = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss.SSS'Z'");
    private static final int LISTED = 10;
    /** Of the processors' time, the share that other programs may have had. */
    private static final double QUIET = 0.1;

    /** What a class or a test has cost, in seconds. */
    private record Cost(String run, String name, double wall, double cpu) {

        double idle() {
            return wall - cpu;
        }

        @Override
        public String toString() {
            return "  %6.1f s wall, %5.1f s CPU  %s".formatted(wall, cpu, name);
        }
    }

    /** The processes of one run of the tests. */
    private static final class Run {

        private long begin = Long.MAX_VALUE;
        private long end;
        private long tests;
        private double cpu;

        void add(String[] plan) {
            long planBegin = Long.parseLong(plan[2]);
            long planEnd = Long.parseLong(plan[3]);
            begin = Math.min(begin, planBegin);
            end = Math.max(end, planEnd);
            tests += Long.parseLong(plan[4]);
        }

        double wall() {
            return (end - begin) / 1e3;
        }
    }

    /** The machine while tests ran: its processors, and how long they were busy from the first test to the last. */
    private static final class Machine {

        private static final double MICROS_PER_TICK = 1e4;

        private long begin = Long.MAX_VALUE;
        private long end;
        private long busyBegin;
        private long busyEnd;
        private int processors;

        void add(String[] plan) {
            long planBegin = Long.parseLong(plan[2]);
            long planEnd = Long.parseLong(plan[3]);
            if (planBegin < begin) {
                begin = planBegin;
                busyBegin = Long.parseLong(plan[6]);
            }
            if (planEnd > end) {
                end = planEnd;
                busyEnd = Long.parseLong(plan[7]);
            }
            processors = Integer.parseInt(plan[8]);
        }

        /** {@return the share of the processors' time that was used by others than this build} */
        double others() throws IOException {
            return Math.max(0, (busyEnd - busyBegin - build()) / ((end - begin) * 1e3 * processors));
        }

        /** {@return the microseconds that Maven, which has started this, and what it has started were busy} */
        private static double build() throws IOException {
            long maven = ProcessHandle.current().parent().orElseThrow().pid();
            Path parent = Path.of("/proc", String.valueOf(maven), "stat");
            if (Files.notExists(parent)) {
                return 0;
            }
            // The second field is the name of the program in parentheses and may contain anything.
            String line = Files.readString(parent);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return Stream.of(fields).skip(11).limit(4).mapToDouble(Double::parseDouble).sum() * MICROS_PER_TICK;
        }
    }

    /** A piece of work, the same each time, that shows how fast the machine is: tables, strings, sorting. */
    private static final class Yardstick {

        private static final int ROUNDS = 180;
        private static final int ENTRIES = 20_000;
        private static final int KEYS = 5_003;

        private Yardstick() {
        }

        /** {@return the seconds of processor time that it takes while each processor is busy with it} */
        static double measure(int processors) throws InterruptedException {
            double[] seconds = new double[processors];
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < processors; i++) {
                int index = i;
                threads.add(new Thread(() -> {
                    work();
                    seconds[index] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            return DoubleStream.of(seconds).average().orElseThrow();
        }

        private static int work() {
            int hash = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Map<String, Integer> table = new HashMap<>();
                for (int i = 0; i < ENTRIES; i++) {
                    table.merge("key " + (i * 31 + round) % KEYS, i, Integer::sum);
                }
                List<String> keys = new ArrayList<>(table.keySet());
                Collections.sort(keys);
                hash = 31 * hash + String.join(",", keys).hashCode();
            }
            return hash;
        }
    }

    private final Map<String, Run> runs = new LinkedHashMap<>();
    private final Machine machine = new Machine();
    private final List<Cost> classes = new ArrayList<>();
    private final List<Cost> tests = new ArrayList<>();
    private final Map<String, Integer> skips = new TreeMap<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private final List<String> complaints = new ArrayList<>();

    private Ledger() {
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path all = Path.of(arguments[0]);
        Path here = Path.of(arguments[1]);
        List<Path> builds;
        try (Stream<Path> listed = Files.isDirectory(all) ? Files.list(all) : Stream.empty()) {
            builds = listed.sorted(Comparator.reverseOrder()).toList();
        }
        if (builds.isEmpty()) {
            System.out.println("no tests have been run");
            return;
        }
        Ledger ledger = new Ledger();
        try (Stream<Path> files = Files.list(builds.get(0))) {
            for (Path file : files.sorted().toList()) {
                ledger.read(file);
            }
        }
        // The directory is named after the moment at which the build began.
        LocalDateTime begin = LocalDateTime.parse(builds.get(0).getFileName().toString(), BUILD);
        ledger.check(here, Duration.between(begin, LocalDateTime.now(ZoneOffset.UTC)).toSeconds());
        ledger.print(System.out);
        if (!ledger.complaints.isEmpty()) {
            ledger.complaints.forEach(complaint -> System.err.println("[ERROR] " + complaint));
            System.exit(1);
        }
    }

    private void read(Path file) throws IOException {
        Map<String, Double> cpu = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split("\t", -1);
            String run = fields[1];
            switch (fields[0]) {
                case "plan" -> {
                    runs.computeIfAbsent(run, name -> new Run()).add(fields);
                    machine.add(fields);
                    // The time of the process since it began.
                    cpu.put(run, Double.parseDouble(fields[5]) / 1e6);
                }
                case "class" -> classes.add(cost(fields));
                case "test" -> tests.add(cost(fields));
                case "skip" -> skips.merge(fields[2], Integer.parseInt(fields[3]), Integer::sum);
                case "left-out" -> leftOut.merge(fields[2], Integer.parseInt(fields[3]), Integer::sum);
                default -> throw new IOException(file + ": " + line);
            }
        }
        cpu.forEach((run, seconds) -> runs.get(run).cpu += seconds);
    }

    /** {@return what a run is called in the names of properties} */
    private static String key(String run) {
        return run.replace(' ', '-');
    }

    private static Cost cost(String[] fields) {
        return new Cost(key(fields[1]), fields[2] + " (" + fields[1] + ")", Double.parseDouble(fields[3]) / 1e6,
                Double.parseDouble(fields[4]) / 1e6);
    }

    private void check(Path here, long seconds) throws IOException, InterruptedException {
        Properties budget = new Properties();
        try (var reader = Files.newBufferedReader(here.resolve("budget.properties"))) {
            budget.load(reader);
        }
        List<Pattern> expected = Files.readAllLines(here.resolve("skips.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#")).map(Pattern::compile).toList();
        skips.forEach((reason, count) -> {
            if (expected.stream().noneMatch(pattern -> pattern.matcher(reason).matches())) {
                complaints.add(count + " tests were skipped for a reason that is not in .mvn/skips.txt: " + reason);
            }
        });
        boolean isVerify = "verify".equals(System.getProperty("sluice.run", "verify"));
        if (!isVerify) {
            return;
        }
        long wanted = Long.parseLong(budget.getProperty("build"));
        System.out.printf("the build has taken %d s until here, and its budget is %d s: %s%n", seconds, wanted,
                seconds <= wanted ? "it holds" : "it does not hold");
        if (machine.processors < 2) {
            System.out.println("times are not compared with their budget, which is one for two processors");
            return;
        }
        if (machine.others() >= QUIET) {
            System.out.printf("times are not compared with their budget, as other programs used %.0f %% of the"
                    + " processors%n", machine.others() * 100);
            return;
        }
        double pace = Yardstick.measure(machine.processors) / Double.parseDouble(budget.getProperty("yardstick"));
        System.out.printf("a machine of the budgets is %.2f times as fast as this one%n", pace);
        // A faster machine is not asked for more.
        double factor = Math.max(1, pace);
        double allowance = Double.parseDouble(budget.getProperty("allowance")) * factor;
        long limit = Math.round(Long.parseLong(budget.getProperty("build.limit")) * factor);
        if (seconds > limit) {
            complaints.add("the build has taken " + seconds + " s, and may take " + limit + " on this machine");
        }
        for (Cost cost : classes) {
            // A JVM for Windows cannot tell: the class that has started it counts its time.
            String most = budget.getProperty("class." + cost.run(), budget.getProperty("class"));
            if (cost.cpu() > Double.parseDouble(most) * allowance) {
                complaints.add("a class of tests may take " + most + " CPU seconds, split it or cut its repetitions: "
                        + cost);
            }
        }
        Set<String> known = budget.stringPropertyNames();
        runs.forEach((name, run) -> {
            String key = key(name);
            if (run.cpu == 0) {
                // A JVM for Windows cannot tell: the run that has started it counts its time.
                return;
            }
            if (!known.contains(key)) {
                complaints.add("the run " + name + " has no budget in .mvn/budget.properties: it took "
                        + Math.round(run.cpu) + " CPU seconds");
            } else if (run.cpu > Double.parseDouble(budget.getProperty(key)) * allowance) {
                complaints.add("the run %s took %.0f CPU seconds, and its budget is %s".formatted(name, run.cpu,
                        budget.getProperty(key)));
            }
        });
    }

    private void print(PrintStream out) {
        out.println("runs of tests:");
        runs.forEach((name, run) -> out.printf("  %6.1f s wall, %6.1f s CPU, %5d tests  %s%n", run.wall(), run.cpu,
                run.tests, name));
        out.printf("  %6.1f s wall, %6.1f s CPU, %5d tests  in all%n", (machine.end - machine.begin) / 1e3,
                runs.values().stream().mapToDouble(run -> run.cpu).sum(),
                runs.values().stream().mapToLong(run -> run.tests).sum());
        out.println("classes that took longest:");
        classes.stream().sorted(Comparator.comparingDouble(Cost::wall).reversed()).limit(LISTED).forEach(out::println);
        out.println("tests that waited longest:");
        tests.stream().sorted(Comparator.comparingDouble(Cost::idle).reversed()).limit(LISTED).forEach(out::println);
        out.println("tests skipped, by reason:");
        skips.forEach((reason, count) -> out.printf("  %5d  %s%n", count, reason));
        out.println("values that tests were not run on, and that -Pmatrix runs them on:");
        leftOut.entrySet().stream().sorted(Map.Entry.<String, Integer>comparingByValue().reversed()).limit(LISTED)
                .forEach(entry -> out.printf("  %5d  %s%n", entry.getValue(), entry.getKey()));
    }
}
