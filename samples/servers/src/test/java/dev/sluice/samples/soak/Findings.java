package dev.sluice.samples.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the looks at a server say: a table, and what is wrong. */
final class Findings {

    private static final double ONE_BYTE = 1;
    /** How much slower the last third may be than the first, when both are measured against the yardstick. */
    private static final double SLOWER = 3;

    private final String server;
    private final List<Look> looks;
    private final List<String> wrong = new ArrayList<>();
    private final List<String> slower = new ArrayList<>();
    private final StringBuilder table = new StringBuilder();

    private Findings(String server, List<Look> looks) {
        this.server = server;
        this.looks = looks;
    }

    /** Judges a server by its looks, the first quarter of which saw it warm up. */
    static Findings of(Target target) {
        List<Look> all = target.looks();
        Findings findings = new Findings(target.server().name(), all.subList(all.size() / 4, all.size()));
        findings.judge();
        return findings;
    }

    private void judge() {
        Look first = looks.get(0);
        Look last = looks.get(looks.size() - 1);
        say("%s: %,d messages in %d looks%n", server, last.messages() - first.messages(), looks.size());
        for (Allowance allowance : Allowance.values()) {
            judge(allowance, first, last);
        }
        double pace = slowing(looks.stream().map(Look::pace).toList());
        double cpu = slowing(cpuPerMessage());
        say("  %-12s last third against the first: %.2f, CPU time %.2f%n", "a message", pace, cpu);
        if (pace > SLOWER || cpu > SLOWER) {
            slower.add(server + " has become slower: by " + pace + ", in CPU time by " + cpu);
        }
    }

    private void judge(Allowance allowance, Look first, Look last) {
        Trend trend = Trend.of(looks, allowance.what());
        double noticed = trend.noticed(allowance.maximum());
        say("  %-12s %,14.0f -> %,14.0f  %+.4f a message, noticed from %.4f on%n",
                allowance.title(), allowance.what().applyAsDouble(first),
                allowance.what().applyAsDouble(last), trend.perMessage(), noticed);
        if (trend.certainGrowth() > allowance.maximum()) {
            wrong.add(server + " loses " + trend.perMessage() + " a message: " + allowance.title());
        }
    }

    /** {@return the median of the last third of these numbers, one per round, against that of the first} */
    private static double slowing(List<Double> numbers) {
        int third = numbers.size() / 3;
        return median(numbers.subList(numbers.size() - third, numbers.size())) / median(numbers.subList(0, third));
    }

    private static double median(List<Double> numbers) {
        return numbers.stream().sorted().toList().get(numbers.size() / 2);
    }

    private List<Double> cpuPerMessage() {
        List<Double> times = new ArrayList<>();
        for (int i = 1; i < looks.size(); i++) {
            long messages = Math.max(1, looks.get(i).messages() - looks.get(i - 1).messages());
            times.add(Math.max(1, looks.get(i).cpu().minus(looks.get(i - 1).cpu()).toNanos()) / (double) messages);
        }
        return times;
    }

    private void say(String format, Object... arguments) {
        table.append(String.format(Locale.ROOT, format, arguments));
    }

    /** {@return what grows; nothing, if all is well} */
    List<String> wrong() {
        return wrong;
    }

    /** {@return what has become slower; in rounds of a second it may be by chance} */
    List<String> slower() {
        return slower;
    }

    /** {@return what was too short or too noisy to notice the loss of a byte per message} */
    List<String> coarse() {
        List<String> coarse = new ArrayList<>();
        for (Allowance allowance : Allowance.values()) {
            if (allowance.isToTheByte()
                    && Trend.of(looks, allowance.what()).noticed(allowance.maximum()) > ONE_BYTE) {
                coarse.add(server + ": " + allowance);
            }
        }
        return coarse;
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
