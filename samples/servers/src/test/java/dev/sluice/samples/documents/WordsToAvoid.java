package dev.sluice.samples.documents;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Patterns that the sources and pages must not match, with their exceptions.
 *
 * <p>They are read from lines. Those after {@code [prose]} and {@code [code]} are a limit and a pattern: the number of
 * lines that match today, which may only fall, and a regular expression for one line. Patterns of the first kind are
 * searched in Java and Markdown, those of the second in Java alone. Lines after {@code [allowed]} are the beginning of
 * a path, a text, and the reason why that text may match there, separated by a colon and a space. Empty lines and those
 * that begin with # are comments.
 */
final class WordsToAvoid {

    /** The characters from {@code start} to {@code end} of a line match a rule. */
    record Match(Rule rule, String file, int number, String line, int start, int end) {

        @Override
        public String toString() {
            return file + ":" + number + ": " + line.substring(start, end) + ": " + line.strip();
        }
    }

    record Rule(Pattern pattern, int limit, boolean codeOnly) {

        @Override
        public String toString() {
            return limit + " " + pattern;
        }
    }

    private record Allowance(String path, String text, String reason) {

        boolean covers(Match match) {
            if (!match.file.startsWith(path)) {
                return false;
            }
            for (int at = match.line.indexOf(text); at >= 0; at = match.line.indexOf(text, at + 1)) {
                if (at <= match.start && match.end <= at + text.length()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return path + ": " + text + ": " + reason;
        }
    }

    private final List<Rule> rules = new ArrayList<>();
    private final List<Allowance> allowed = new ArrayList<>();
    /** Lines of code that match no rule: many are in several files, and need not be searched again. */
    private final Set<String> withoutMatch = ConcurrentHashMap.newKeySet();

    /** @throws IllegalArgumentException if a line has another form */
    WordsToAvoid(List<String> lines) {
        String section = "";
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (List.of("[prose]", "[code]", "[allowed]").contains(line)) {
                section = line;
            } else if (section.equals("[allowed]")) {
                String[] parts = line.split(": ", 3);
                require(parts.length == 3, line);
                allowed.add(new Allowance(parts[0], parts[1], parts[2]));
            } else {
                require(!section.isEmpty() && line.matches("\\d+ .+"), line);
                String[] parts = line.split(" ", 2);
                boolean codeOnly = section.equals("[code]");
                rules.add(new Rule(Pattern.compile(parts[1]), Integer.parseInt(parts[0]), codeOnly));
            }
        }
    }

    private static void require(boolean condition, String line) {
        if (!condition) {
            throw new IllegalArgumentException("neither a section, LIMIT PATTERN, nor PATH: TEXT: REASON: " + line);
        }
    }

    /** {@return the first match of each rule in each line of the file, allowed or not; for many threads at a time} */
    List<Match> search(String file, String text) {
        boolean code = file.endsWith(".java");
        List<Matcher> matchers = rules.stream().map(rule -> rule.pattern.matcher("")).toList();
        List<Match> matches = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (withoutMatch.contains(line)) {
                continue;
            }
            int before = matches.size();
            for (int i = 0; i < rules.size(); i++) {
                Matcher matcher = matchers.get(i);
                if ((code || !rules.get(i).codeOnly) && matcher.reset(line).find()) {
                    matches.add(new Match(rules.get(i), file, number, line, matcher.start(), matcher.end()));
                }
            }
            if (code && matches.size() == before) {
                withoutMatch.add(line);
            }
        }
        return matches;
    }

    /**
     * {@return messages for the rules whose limit is not the number of lines that match, with these lines where there
     * are too many, and for the exceptions that no match needs}
     */
    List<String> problems(List<Match> matches) {
        List<String> problems = new ArrayList<>();
        Set<Allowance> needless = new LinkedHashSet<>(allowed);
        Map<Rule, List<Match>> byRule = new HashMap<>();
        for (Match match : matches) {
            List<Allowance> covering = allowed.stream().filter(allowance -> allowance.covers(match)).toList();
            if (covering.isEmpty()) {
                byRule.computeIfAbsent(match.rule, rule -> new ArrayList<>()).add(match);
            }
            covering.forEach(needless::remove);
        }
        for (Rule rule : rules) {
            List<Match> found = byRule.getOrDefault(rule, List.of());
            if (found.size() < rule.limit) {
                problems.add("lower the limit to " + found.size() + ": " + rule);
            } else if (found.size() > rule.limit) {
                problems.add(found.size() + " lines match " + rule);
                found.forEach(match -> problems.add("    " + match));
            }
        }
        needless.forEach(allowance -> problems.add("needless: " + allowance));
        return problems;
    }
}
