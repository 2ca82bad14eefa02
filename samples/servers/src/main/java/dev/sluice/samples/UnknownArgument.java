package dev.sluice.samples;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said of a word on the command line that is no command and no option, and what may have been meant. */
public final class UnknownArgument {

    private final UnmatchedArgumentException problem;
    private final String word;

    /**
     * Of the first one that is unknown: what follows may be its value, or belong to the command that was meant.
     *
     * @param problem that picocli has found
     */
    public UnknownArgument(UnmatchedArgumentException problem) {
        this.problem = problem;
        this.word = problem.getUnmatched().get(0);
    }

    /** {@return a part of a line} */
    public String describe() {
        List<String> likely = likely();
        return "there is no " + kind() + " '" + word + "'"
                + (likely.isEmpty() ? whatThereIs() : "; did you mean " + String.join(" or ", likely) + "?");
    }

    private String kind() {
        return word.startsWith("-") ? "option" : commands().isEmpty() ? "argument" : "command";
    }

    // Commands are few enough to be listed, options are not.
    private String whatThereIs() {
        return kind().equals("command") ? "; there is " + String.join(", ", commands()) : "";
    }

    private Set<String> commands() {
        return problem.getCommandLine().getSubcommands().keySet();
    }

    // To picocli two letters in common anywhere make commands similar, such as "nonsense" and "oltp-front". The first
    // letter is the one that is least often mistyped.
    private List<String> likely() {
        return problem.getSuggestions().stream().filter(name -> name.regionMatches(true, 0, word, 0, 1)).toList();
    }
}
