package dev.sluice.samples;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes a word on the command line that is neither a command nor an option, and suggests similar ones. */
public final class UnknownArgument {

    private final UnmatchedArgumentException problem;
    private final String word;

    /**
     * Describes the first unknown argument: later ones may be its value, or belong to the intended command.
     *
     * @param problem the problem reported by picocli
     */
    public UnknownArgument(UnmatchedArgumentException problem) {
        this.problem = problem;
        this.word = problem.getUnmatched().get(0);
    }

    /** {@return the description, as part of a line} */
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
        return kind().equals("command") ? "; the commands are " + String.join(", ", commands()) : "";
    }

    private Set<String> commands() {
        return problem.getCommandLine().getSubcommands().keySet();
    }

    // Picocli takes commands with any two letters in common for similar, such as "nonsense" and "oltp-front". The first
    // letter is rarely mistyped.
    private List<String> likely() {
        return problem.getSuggestions().stream().filter(name -> name.regionMatches(true, 0, word, 0, 1)).toList();
    }
}
