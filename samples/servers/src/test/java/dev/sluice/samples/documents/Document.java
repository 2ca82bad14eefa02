package dev.sluice.samples.documents;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a page in Markdown tells its readers to type.
 *
 * @param name of the file, from the root of the repository
 * @param text of it
 */
public record Document(String name, String text) {

    /** Blocks in these languages are no commands: the compiler and {@link DocumentedProgramsTest} read them. */
    private static final Set<String> OTHER_LANGUAGES = Set.of("java", "xml");
    private static final String INDENT = " ".repeat(4);
    private static final Pattern CELL = Pattern.compile("\\|([^|]*)(?=\\|)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern INLINE_COMMAND = Pattern.compile("(\\./sluice|mvn) .+");

    /**
     * Commands that belong together: the blocks of a section, a row of a table, or one command in running text.
     *
     * @param title  where they stand
     * @param blocks in the order of the text, each of which is pasted into a terminal of its own
     */
    public record Passage(String title, List<List<Command>> blocks) {

        public List<Command> commands() {
            return blocks.stream().flatMap(List::stream).toList();
        }
    }

    public static Document read(String name) throws IOException {
        return new Document(name, Files.readString(Repository.root().resolve(name)));
    }

    /** {@return all that tells to type something, in the order of the text; what stands in running text comes last} */
    public List<Passage> passages() {
        return new Reading().read();
    }

    private final class Reading {

        private final List<String> lines = text.lines().toList();
        private final List<Passage> passages = new ArrayList<>();
        private final StringBuilder prose = new StringBuilder();
        private List<List<Command>> section = new ArrayList<>();
        private String heading = name;
        private boolean inTable;
        private boolean inTableOfCommands;
        private int next;

        List<Passage> read() {
            boolean afterBlank = true;
            while (next < lines.size()) {
                String line = lines.get(next);
                if (line.startsWith("```")) {
                    fencedBlock(line.substring(3).strip());
                } else if (afterBlank && line.startsWith(INDENT)) {
                    indentedBlock();
                } else {
                    next++;
                    textLine(line);
                }
                afterBlank = next > 0 && lines.get(next - 1).isBlank();
            }
            endSection();
            inlineCommands();
            return passages;
        }

        private void fencedBlock(String language) {
            List<String> block = new ArrayList<>();
            for (next++; !lines.get(next).startsWith("```"); next++) {
                block.add(lines.get(next));
            }
            next++;
            if (!OTHER_LANGUAGES.contains(language)) {
                block(block);
            }
        }

        private void indentedBlock() {
            List<String> block = new ArrayList<>();
            for (; next < lines.size() && (lines.get(next).isBlank() || lines.get(next).startsWith(INDENT)); next++) {
                block.add(lines.get(next).isBlank() ? "" : lines.get(next).substring(INDENT.length()));
            }
            block(block);
        }

        private void block(List<String> block) {
            List<Command> commands = new ArrayList<>();
            StringBuilder command = new StringBuilder();
            for (String line : block) {
                command.append(line);
                if (line.endsWith("\\")) {
                    command.append('\n');
                } else if (!command.isEmpty()) {
                    commands.add(new Command(command.toString()));
                    command.setLength(0);
                }
            }
            section.add(commands);
        }

        private void textLine(String line) {
            if (line.startsWith("|")) {
                row(CELL.matcher(line).results().map(cell -> cell.group(1).strip()).toList());
                return;
            }
            inTable = false;
            if (line.startsWith("#")) {
                endSection();
                heading = line.replaceFirst("^#+ *", "");
            } else {
                prose.append(line).append('\n');
            }
        }

        private void row(List<String> cells) {
            if (!inTable) {
                inTable = true;
                inTableOfCommands = cells.get(0).equals("command");
            } else if (inTableOfCommands) {
                List<List<Command>> commands = cells.stream().map(CODE::matcher).filter(Matcher::matches)
                        .map(cell -> List.of(new Command(cell.group(1)))).toList();
                if (!commands.isEmpty()) {
                    passages.add(new Passage(heading + ": " + cells.get(0).replace("`", ""), commands));
                }
            }
        }

        private void endSection() {
            if (!section.isEmpty()) {
                passages.add(new Passage(heading, section));
                section = new ArrayList<>();
            }
        }

        /** Those that stand in a block or a table as well are not run twice. */
        private void inlineCommands() {
            Set<Command> seen = new LinkedHashSet<>();
            passages.forEach(passage -> seen.addAll(passage.commands()));
            CODE.matcher(prose).results().map(code -> code.group(1).replaceAll("\\s+", " "))
                    .filter(INLINE_COMMAND.asMatchPredicate()).map(Command::new).filter(seen::add)
                    .map(command -> new Passage("in the text: " + command, List.of(List.of(command))))
                    .forEach(passages::add);
        }
    }
}
