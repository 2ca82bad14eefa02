package dev.sluice.samples.documents;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command as a document shows it.
 *
 * @param text to type
 */
public record Command(String text) {

    private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|[^\\s\"\\\\])+");
    private static final Pattern ASSIGNMENT = Pattern.compile("\\w+=.*");
    private static final Pattern ASSIGNMENTS = Pattern.compile("(?:\\w+=(?:\"[^\"]*\"|[^\\s\"])*\\s+)*");
    private static final Set<String> BENCHMARKS = Set.of("bench", "seda");
    private static final Set<String> LONG = Set.of("tour", "compare");
    /** What makes an image of Java with a recipe in it, and what starts that. */
    private static final Set<String> IMAGE = Set.of("jlink", "echo/bin/java");
    private static final Set<String> TOOLS = Set.of("doctor", "tour", "wal", "compare");

    /** {@return its words, without quotes and without what is set for it} */
    public List<String> words() {
        return WORD.matcher(text).results().map(word -> word.group().replace("\"", ""))
                .dropWhile(ASSIGNMENT.asMatchPredicate()).toList();
    }

    /** {@return the same, for a shell that is to become the program: then a signal to the one is for the other} */
    String replacingTheShell() {
        Matcher assignments = ASSIGNMENTS.matcher(text);
        assignments.lookingAt();
        return assignments.group() + "exec " + text.substring(assignments.end());
    }

    String program() {
        return words().get(0);
    }

    boolean isSluice() {
        return program().equals("./sluice");
    }

    /** {@return whether it sets variables of the environment for its program} */
    boolean setsVariables() {
        return !text.startsWith(program());
    }

    /** {@return the name of the sample that it starts} */
    String sample() {
        return words().get(1);
    }

    /** {@return whether it starts something that runs until it is stopped} */
    boolean isServer() {
        return program().equals("java") || isSluice() && !asksForHelp() && !isBenchmark() && !TOOLS.contains(sample());
    }

    /** {@return whether it makes an archive of classes or starts with one} */
    boolean makesACache() {
        return words().stream().anyMatch(word -> word.startsWith("-XX:AOT"));
    }

    public boolean asksForHelp() {
        return words().contains("--help");
    }

    /** {@return whether it starts the benchmarks, which are built after the samples, and tested there} */
    public boolean isBenchmark() {
        return isSluice() && BENCHMARKS.contains(sample());
    }

    /** {@return whether every build would take too long that ran it} */
    boolean isLong() {
        return program().equals("mvn") || isOfImage() || isSluice() && !asksForHelp() && LONG.contains(sample());
    }

    /** {@return whether it makes an image of Java, or starts it} */
    boolean isOfImage() {
        return IMAGE.contains(program());
    }

    public boolean has(String option) {
        return words().contains(option);
    }

    /** {@return what follows an option} */
    public Optional<String> value(String option) {
        List<String> words = words();
        int at = words.indexOf(option);
        return at < 0 ? Optional.empty() : Optional.of(words.get(at + 1));
    }

    String lastWord() {
        List<String> words = words();
        return words.get(words.size() - 1);
    }

    @Override
    public String toString() {
        return text;
    }
}
